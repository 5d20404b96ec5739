"""What veracity raises: bad input, a store or an engine that fails, or a method that is not valid here."""


class VeracityError(Exception):
    """Base of everything veracity raises on purpose; its text is one sentence for the user."""

    exit_status = 2  # of the command line: wrong call or bad input

    @property
    def lines(self) -> list[str]:
        """What to tell the user: one sentence, or one for each mistake of an input that has several."""
        return [str(self)]


class BadInput(VeracityError, ValueError):
    """The call or the data is wrong; the sentence names the place and the way out."""


class StoreError(VeracityError):
    """The call is right, but the place that keeps a study fails: full, read-only, locked, damaged, out of reach."""

    exit_status = 1


class EngineLost(VeracityError):
    """What carries out fits cannot be reached or started."""

    exit_status = 1


class Refused(VeracityError, ValueError):
    """A method is not valid for this evidence; the sentence says why and names a replacement."""

    def __init__(self, says: str, code: str = "refused") -> None:
        super().__init__(says)
        self.code = code
        self.says = says

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.says, self.code)
