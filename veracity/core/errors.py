"""What veracity raises: bad input, or a method refused because it is not valid here."""


class VeracityError(Exception):
    """Base of everything veracity raises on purpose; its text is one sentence for the user."""


class BadInput(VeracityError, ValueError):
    """The call or the data is wrong; the sentence names the place and the way out."""


class Refused(VeracityError, ValueError):
    """A method is not valid for this evidence; the sentence says why and names a replacement."""

    def __init__(self, says: str, code: str = "refused") -> None:
        super().__init__(says)
        self.code = code
        self.says = says

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.says, self.code)
