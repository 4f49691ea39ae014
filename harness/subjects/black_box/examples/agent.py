"""An orchestrator in one file of Python's standard library: HTTP and JSON-RPC by hand.

It says who asks by the name of the model ("planner", "billing"), and knows nothing of the bench beyond its environment.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request

TOLD = json.loads(os.environ["BROWNOUT_CREW"])
CREW = {one["name"]: one for one in TOLD["specialists"]}
FALLBACKS = {one["specialist"]: one for one in TOLD["fallbacks"]}


class Server:
    """An MCP server over stdio. One at a time may speak to it."""

    def __init__(self, name, config):
        self.name, self.lock, self.id = name, threading.Lock(), 0
        self.process = subprocess.Popen(
            [config["command"], *config["args"]],
            env={**os.environ, **config.get("env", {})},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )
        client = {"name": "python-by-hand", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.tell({"method": "notifications/initialized"})
        self.tools = self.ask("tools/list", {})["tools"]

    def tell(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        with self.lock:
            self.id += 1
            self.tell({"id": self.id, "method": method, "params": params})
            for line in self.process.stdout:
                reply = json.loads(line)
                if reply.get("id") == self.id:
                    if "error" in reply:
                        raise RuntimeError(reply["error"]["message"])
                    return reply["result"]
        raise RuntimeError(f"{self.name} is gone")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def connect(configs):
    """Every server that can be reached."""
    servers = {}
    for name, config in configs.items():
        try:
            servers[name] = Server(name, config)
        except (RuntimeError, OSError) as error:
            print(f"{name} cannot be reached: {error}", file=sys.stderr)
    return servers


def model(agent, messages, tools=()):
    """One turn of a model, as OpenAI's chat completions have it."""
    body = {"model": agent, "messages": messages, **({"tools": list(tools)} if tools else {})}
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)["choices"][0]["message"]


def plan():
    system = f"Split the request into tasks. Specialists: {', '.join(CREW)}. Reply in JSON."
    messages = [{"role": "system", "content": system}, {"role": "user", "content": os.environ["BROWNOUT_REQUEST"]}]
    text = model("planner", messages)["content"]
    return json.loads(re.search(r"\{.*\}", text, re.DOTALL).group())["tasks"]


def work(task, servers):
    """Does one task. Returns its note, and what went wrong, if something did."""
    name = task["specialist"]
    if name not in CREW:
        return None, ("unknown_specialist", "there is no such specialist")
    allowed = {}
    for server in servers.values():
        for tool in server.tools:
            full = f"{server.name}.{tool['name']}"
            if any(full == entry or full.startswith(entry.rstrip(".") + ".") for entry in CREW[name]["tools"]):
                allowed[f"{server.name}_{tool['name']}"] = (server, tool)
    offered = [
        {"type": "function", "function": {"name": key, "description": tool["description"], "parameters": tool["inputSchema"]}}
        for key, (_, tool) in allowed.items()
    ]
    facts = json.dumps(task.get("inputs", {}))
    messages = [
        {"role": "system", "content": f"You are the {name} specialist: {CREW[name]['role']}"},
        {"role": "user", "content": f"{task['objective']}\nInputs: {facts}"},
    ]
    results, failures = 0, []
    for _ in range(CREW[name]["maxSteps"]):
        try:
            turn = model(name, messages, offered)
        except (urllib.error.URLError, OSError) as error:
            code = "rate_limited" if getattr(error, "code", None) == 429 else "model_error"
            return None, ("tool_error", failures[-1]) if failures else (code, str(error))
        messages.append(turn)
        if not turn.get("tool_calls"):
            if results == 0 and failures:
                return None, ("tool_error", failures[-1])
            return turn["content"], None
        for call in turn["tool_calls"]:
            try:
                server, tool = allowed[call["function"]["name"]]
                result = server.ask("tools/call", {
                    "name": tool["name"], "arguments": json.loads(call["function"]["arguments"]),
                })
                text = "\n".join(part.get("text", "") for part in result["content"])
                failed = result.get("isError", False)
            except (KeyError, OSError, RuntimeError) as error:
                text, failed = str(error), True
            if failed:
                failures.append(text)
            else:
                results += 1
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return None, ("tool_error", failures[-1]) if failures and results == 0 else ("budget_steps", "no end in sight")


def main():
    with open(os.environ["BROWNOUT_MCP_CONFIG"], encoding="utf-8") as file:
        servers = connect(json.load(file)["mcpServers"])
    tasks = plan()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda task: work(task, servers), tasks))
    for server in servers.values():
        server.close()
    sections, failures, lines = [], [], []
    for task, (note, failure) in zip(tasks, done):
        name = task["specialist"]
        if failure is None:
            sections.append({"worker": name, "text": note})
            lines.append(f"{name}: {note}")
        else:
            code, detail = failure
            failed = {"specialist": name, "code": code, "detail": detail, "effect": "its part is not live"}
            lines.append(f"The {name} specialist failed ({code}): {detail}.")
            if name in FALLBACKS:
                known = FALLBACKS[name]
                cached = {"kind": "cached", "asOf": known["asOf"], "source": known["source"]}
                failed["substituted"] = cached
                sections.append({"worker": name, "text": known["text"], "provenance": cached})
                lines.append(f"Cached {name} answer as of {known['asOf']}, not current: {known['text']}")
            failures.append(failed)
    status = "complete" if not failures else "degraded" if sections else "failed"
    print(json.dumps({"answer": "\n".join(lines), "status": status, "failures": failures, "sections": sections}))


main()
