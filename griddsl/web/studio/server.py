"""The server of the studio: one process on the loopback, a page, and a socket for each tab.

Whoever asks needs the token that stands in the page's address; the names of hosts and origins are checked, so that no
other page that the browser shows can speak to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from griddsl.diagnostics import Refused
from griddsl.web.studio.folder import Folder
from griddsl.web.studio.publishing import published
from griddsl.web.studio.rooms import Message, Rooms
from griddsl.web.studio.solving import Solver

PAGE = Path(__file__).parent / "page"
LOOK_SECONDS = 0.5  # between looks at the files
LARGEST = 4_000_000  # characters of a message
MOST_WAITING = 200  # messages for a tab that is slow; then it gets only the newest of each kind
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


class Tab:
    """A tab of a browser: what it looks at, and what it has still to be told."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.name = ""
        self._waiting: deque[Message] = deque()
        self._is_there = asyncio.Event()

    def tell(self, message: Message) -> None:
        """Let something be told; what is told of the same again takes its place where the tab is behind."""
        if len(self._waiting) >= MOST_WAITING:
            alike = [
                each
                for each in self._waiting
                if (each["is"], each.get("name")) == (message["is"], message.get("name"))
            ]
            for each in alike:
                self._waiting.remove(each)
        self._waiting.append(message)
        self._is_there.set()

    async def run(self) -> None:
        """Tell what is to be told, until the tab is gone."""
        while True:
            await self._is_there.wait()
            self._is_there.clear()
            while self._waiting:
                await self.socket.send_text(json.dumps(self._waiting.popleft()))


class Studio:
    """The studio of a folder. ``address`` is that of its page."""

    def __init__(self, folder: Folder, port: int, token: str | None = None) -> None:
        self.token = token or secrets.token_urlsafe(18)
        self.port = port
        self.rooms = Rooms(folder)
        self.tabs: set[Tab] = set()
        self._one_at_a_time = asyncio.Lock()
        self._listed: list[str] = folder.specs()
        self._solver = Solver()
        self._solving: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    def app(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                Route("/{token}/", self._page),
                Route("/{token}/files/{file}", self._file),
                Route("/{token}/export/{form}/{name:path}", self._export),
                WebSocketRoute("/{token}/socket", self._socket),
            ],
            lifespan=self._watching,
        )

    # Who may ask

    def _may(self, asks: HTTPConnection) -> bool:
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        token = str(asks.path_params.get("token", ""))
        origin = asks.headers.get("origin")
        return (
            asks.headers.get("host", "") in hosts
            and (origin is None or origin in {f"http://{host}" for host in hosts})
            and hmac.compare_digest(token.encode(), self.token.encode())
        )

    def _headers(self) -> dict[str, str]:
        sockets = f"ws://127.0.0.1:{self.port} ws://localhost:{self.port}"
        rules = (
            f"default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' {sockets}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": rules,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }

    # Pages and files

    async def _page(self, request: Request) -> Response:
        return self._sent(request, PAGE / "index.html")

    async def _file(self, request: Request) -> Response:
        known = {path.name: path for path in PAGE.iterdir() if path.suffix in TYPES}
        return self._sent(request, known.get(request.path_params["file"]))

    def _sent(self, request: Request, path: Path | None) -> Response:
        if not self._may(request):
            return PlainTextResponse("The address of this studio has a token, which is not this one.", 403)
        if path is None:
            return PlainTextResponse("There is no such file.", 404)
        return Response(path.read_bytes(), media_type=TYPES[path.suffix], headers=self._headers())

    async def _export(self, request: Request) -> Response:
        if not self._may(request):
            return PlainTextResponse("The address of this studio has a token, which is not this one.", 403)
        name, form = request.path_params["name"], request.path_params["form"]
        try:
            content, kind = await self._done(partial(published, self.rooms, name, form))
        except Refused as error:
            return PlainTextResponse(str(error), 422, headers=self._headers())
        file = f"{Path(name).stem}.{form}"
        disposition = f'attachment; filename="{file.encode("ascii", "replace").decode()}"'
        return Response(
            content, media_type=kind, headers={**self._headers(), "Content-Disposition": disposition}
        )

    # Tabs

    async def _socket(self, socket: WebSocket) -> None:
        if not self._may(socket) or socket.headers.get("origin") is None:
            await socket.close(4403)
            return
        await socket.accept()
        tab = Tab(socket)
        self.tabs.add(tab)
        telling = asyncio.create_task(tab.run())
        try:
            tab.tell({"is": "specs", "specs": self.rooms.folder.specs(), "only": self.rooms.folder.only})
            while True:
                await self._heard(tab, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.tabs.discard(tab)
            telling.cancel()

    async def _heard(self, tab: Tab, text: str) -> None:
        """Do what a tab asks; where it cannot be done, tell that tab why."""
        try:
            message = json.loads(text) if len(text) <= LARGEST else None
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            tab.tell({"is": "refused", "why": "that was no message"})
            return
        number = message.get("number")
        try:
            name = str(message.get("name", tab.name))
            if message.get("do") == "open":
                room = await self._done(partial(self.rooms.open, name))
                tab.name = name
                tab.tell(await self._done(partial(self.rooms.told, room)))
                tab.tell(await self._done(partial(self.rooms.view, room)))
                return
            if message.get("do") == "solve":
                solving = asyncio.create_task(self._solve(tab, name, number))
                self._solving.add(solving)
                solving.add_done_callback(self._solving.discard)
                return
            told = await self._done(partial(self.rooms.do, name, message))
            alone = message.get("do") in {"look", "resets", "complete"}
            for each in told:
                for other in (tab,) if alone else tuple(self.tabs):
                    if other.name == name:
                        other.tell({**each, "number": number} if other is tab else each)
        except Refused as error:
            tab.tell({"is": "refused", "why": str(error).strip(), "number": number})

    async def _solve(self, tab: Tab, name: str, number: Any) -> None:
        """Tell a tab the solution of a game; meanwhile it is typed and played on."""
        try:
            question = await self._done(partial(self.rooms.question, name))
            found = await self._solver.answer(question)
            if not await self._done(partial(self.rooms.is_of, name, question)):
                raise Refused("the game has changed while it was solved: ask again")
        except Refused as error:
            tab.tell({"is": "unsolved", "name": name, "why": str(error).strip(), "number": number})
        else:
            tab.tell({"is": "view", "name": name, "solution": found, "number": number})

    async def _done(self, do: Callable[[], Any]) -> Any:
        """Do something that takes its time beside the loop, one thing after the other."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(do)

    @contextlib.asynccontextmanager
    async def _watching(self, app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch())
        yield
        watching.cancel()
        self._solver.stop()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for name, told in await self._done(self.rooms.follow):
                for tab in tuple(self.tabs):
                    if tab.name == name:
                        for each in told:
                            tab.tell(each)
            specs = await asyncio.to_thread(self.rooms.folder.specs)
            if specs != self._listed:
                self._listed = specs
                for tab in tuple(self.tabs):
                    tab.tell({"is": "specs", "specs": specs, "only": self.rooms.folder.only})
