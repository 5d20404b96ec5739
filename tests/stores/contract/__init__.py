"""What every store must do, as a class of tests to subclass in a test file.

class TestMyStore(StoreContract):
    opened = staticmethod(my_package.open_my_store)  # a function that a new process can import

    @pytest.fixture
    def where(self): ...  # the address of a place where no store is yet
"""

from tests.stores.contract.store_contract import StoreContract as StoreContract
