"""The routes of the workbench, each to a view that is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from veracity.core.errors import VeracityError
from veracity.web.asked import Asked, Bench
from veracity.web.error_log import log_unexpected
from veracity.web.guard import CONTACT, BodyTooLarge, Guard, Rules
from veracity.web.pages import error_answer, status_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp

LOOK = ("GET",)
STUDY = "/study/{name:path}"
API = "/api/studies/{name:path}"
# An address, what is done at it, and the view: the first that fits is taken.
VIEWS = (
    ("/", LOOK, "desk.desk_page"),
    ("/assets/{file}", LOOK, "pages.asset_file"),
    ("/list/{what}", LOOK, "methods.list_page"),
    ("/list", LOOK, "methods.list_page"),
    ("/explain/{method:path}", LOOK, "methods.explain_page"),
    ("/search", LOOK, "methods.search_page"),
    ("/api/catalogue/{what}", LOOK, "methods.list_json"),
    ("/api/explain/{method:path}", LOOK, "methods.explain_json"),
    ("/api/studies", LOOK, "desk.studies_json"),
    ("/plan.{form}", LOOK, "plan.plan_export"),
    ("/plan", LOOK, "plan.plan_page"),
    ("/score.{form}", LOOK, "files.score_export"),
    ("/score", LOOK, "files.score_page"),
    ("/score", ("POST",), "files.paste"),
    ("/api/files/{key}", LOOK, "files.upload_json"),
    (STUDY + "/analyse.{form}", LOOK, "analyse.analyse_export"),
    (STUDY + "/analyse", LOOK, "analyse.analyse_page"),
    ("/study/new", LOOK, "setup.setup_page"),
    ("/study/new", ("POST",), "setup.setup_action"),
    (STUDY + "/setup", LOOK, "setup.setup_page"),
    (STUDY + "/setup", ("POST",), "setup.setup_action"),
    (API + "/study", ("GET", "PUT"), "setup.study_json"),
    ("/api/check", ("POST",), "setup.check_json"),
    (STUDY + "/run", LOOK, "run.run_page"),
    (STUDY + "/run", ("POST",), "run.run_action"),
    (STUDY + CONTACT, ("POST",), "pages.allow_contact"),
    (API + "/status", LOOK, "run.status_json"),
    (API + "/runs", ("POST",), "run.start_json"),
    (API + "/runs", ("DELETE",), "run.stop_json"),
    (API + "/failures", LOOK, "run.failures_json"),
    (API + "/{view}.{form}", LOOK, "analyse.api_export"),
)


def make_app(bench: Bench, rules: Rules) -> ASGIApp:
    """All routes behind the guard."""
    routes = [Route(path, _endpoint(bench, view), methods=list(methods)) for path, methods, view in VIEWS]
    routes.append(Route("/api/files", _upload(bench), methods=["POST"]))
    return Guard(Starlette(routes=routes, exception_handlers=_handlers(bench)), rules)


def _handlers(bench: Bench) -> Any:
    async def not_there(request: Request, why: Exception) -> Response:
        asked = Asked(bench, request.url.path, headers=dict(request.headers))
        status = getattr(why, "status_code", 404)
        says = "nothing is done this way here" if status == 405 else f"there is no page {request.url.path}"
        return error_answer(asked, status, says)

    return {404: not_there, 405: not_there}


def _endpoint(bench: Bench, view: str) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        query = tuple(request.query_params.multi_items())
        about = (bench, request.url.path, request.path_params, query, request.method)
        try:
            asked = Asked(*about, await request.body(), dict(request.headers))
        except BodyTooLarge as why:
            return error_answer(Asked(*about), 413, str(why))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there any more
        return await to_thread.run_sync(partial(_carry_out, view, asked))

    return endpoint


def _upload(bench: Bench) -> Callable[[Request], Any]:
    """A file is written as it comes, whatever its size, and never held whole."""

    async def endpoint(request: Request) -> Response:
        asked = Asked(bench, request.url.path)
        try:
            kept = await bench.uploads.keep(request.query_params.get("name", ""), request.stream())
            if request.query_params.get("to") == "folder":
                await to_thread.run_sync(bench.uploads.move, kept, bench.folder)
        except VeracityError as why:
            return error_answer(asked, status_of(why), *why.lines)
        except BodyTooLarge as why:
            return error_answer(asked, 413, str(why))
        except OSError as why:
            return error_answer(asked, 507, f"the file could not be kept: {why.strerror}")
        except ClientDisconnect:
            return Response(status_code=400)  # who brought it has gone, and nothing of it is kept
        except Exception as why:
            return error_answer(asked, 500, log_unexpected("POST", asked.path, why))
        about = Asked(bench, request.url.path, {"key": kept.key})
        return await to_thread.run_sync(partial(_carry_out, "files.upload_json", about))

    return endpoint


def _carry_out(view: str, asked: Asked) -> Response:
    """What a view answers; what went wrong is a sentence on a page, or in JSON."""
    module, _, name = view.rpartition(".")
    try:
        answer: Response = getattr(import_module(f"veracity.web.{module}"), name)(asked)
    except VeracityError as why:
        return error_answer(asked, status_of(why), *why.lines)
    except Exception as why:
        return error_answer(asked, 500, log_unexpected(asked.method, asked.path, why))
    return answer
