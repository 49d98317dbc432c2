"""The one server room: pages for people on this machine, or at one table, over plain HTTP.

It knows no game and neither program: whoever serves says what stands at which path (`Site`), hands out tickets and
publishes events; the room binds, checks every request and ends in order (`Room`). Nothing else imports starlette.
"""

LIBRARIES = ("starlette", "uvicorn", "watchfiles")
"""The libraries that `[serve]` adds."""
