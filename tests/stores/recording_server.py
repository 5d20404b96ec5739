"""A server on this machine that asks for a password in the clear, as PostgreSQL may, and records what it is sent."""

import socket
import struct
import threading

ENCRYPTION = (80877103, 80877104)  # codes of the requests for TLS and for GSSAPI
ASK_CLEARTEXT = b"R" + struct.pack("!ii", 8, 3)
WRONG = b"SFATAL\0VFATAL\0C28P01\0Mno account of this name\0\0"


class RecordingServer:
    """Refuses every login, after it has asked for the password."""

    def __init__(self):
        self.connections, self.passwords = 0, []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.address = f"postgresql://me@{self.host}/study"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def end(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                connection.settimeout(10)
                try:
                    self._refuse(connection)
                except (OSError, struct.error):
                    continue

    def _refuse(self, connection):
        length, code = struct.unpack("!ii", _read(connection, 8))
        while code in ENCRYPTION:
            connection.sendall(b"N")
            length, code = struct.unpack("!ii", _read(connection, 8))
        _read(connection, length - 8)
        connection.sendall(ASK_CLEARTEXT)
        _, length = struct.unpack("!ci", _read(connection, 5))
        self.passwords.append(_read(connection, length - 4).rstrip(b"\0").decode())
        connection.sendall(b"E" + struct.pack("!i", len(WRONG) + 4) + WRONG)


def _read(connection, size):
    content = b""
    while len(content) < size:
        part = connection.recv(size - len(content))
        if not part:
            raise OSError("the client went away")
        content += part
    return content
