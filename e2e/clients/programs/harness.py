"""Reads tasks, one line of JSON each, and tells what came of them. Tasks run beside each other."""

import json
import sys
import threading

printing = threading.Lock()


def answer(checks, task):
    told = {"id": task.pop("id")}
    check = checks.get(task["check"])
    if check is None:
        told["missing"] = True
    else:
        try:
            told["value"] = check(task)
        except BaseException as error:  # noqa: BLE001, whatever a client throws is an answer
            names = [one.__name__ for one in type(error).__mro__]
            told["thrown"] = {"name": names[0], "names": names, "message": str(error)[:400]}
    with printing:
        print(json.dumps(told, separators=(",", ":"), default=str), flush=True)


def serve(**checks):
    for line in sys.stdin:
        threading.Thread(target=answer, args=(checks, json.loads(line)), daemon=True).start()


def run_tool(name):
    return f"{name} is done ✓"


def gives_chat(messages):
    """Results of calls as messages of chat completions."""

    def give(calls):
        for call in calls:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": call["result"]})

    return give


def gives_items(items):
    """Results of calls as items of Responses."""

    def give(calls):
        for call in calls:
            items.append({"type": "function_call_output", "call_id": call["id"], "output": call["result"]})

    return give


def loop(turn, give):
    """Asks again until no tool is called: `turn` answers (text, thought, calls), `give` gets the calls with results."""
    turns = []
    while True:
        text, thought, calls = turn()
        told = [{"name": call["name"], "input": call["input"]} for call in calls]
        turns.append({"text": text or "", "thought": thought or "", "calls": told})
        if not calls:
            return turns
        give([{**call, "result": run_tool(call["name"])} for call in calls])
