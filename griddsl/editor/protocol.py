"""The protocol as the server speaks it: a request that cannot be read is answered too, and no editor waits for it."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol


class AnsweringProtocol(LanguageServerProtocol):
    """Answers what cannot be read, such as a line below zero, with an error; pygls alone writes it to its log."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as its type. Raises `JsonRpcException`, once a request has its answer."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise
