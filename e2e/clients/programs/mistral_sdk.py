import json

from harness import loop, serve
from mistralai.client import Mistral


def client(task):
    return Mistral(api_key=task["key"], server_url=task["url"], retry_config=None)


def plain(task):
    messages = [{"role": "user", "content": task["question"]}]
    return client(task).chat.complete(model=task["model"], messages=messages).choices[0].message.content


def tool_loop(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "function": tool} for tool in task["tools"]]

    def turn():
        text, calls = "", {}
        with client(task).chat.stream(model=task["model"], messages=messages, tools=tools) as stream:
            for event in stream:
                for choice in event.data.choices:
                    delta = choice.delta
                    if isinstance(delta.content, str):
                        text += delta.content
                    for call in delta.tool_calls or []:
                        begun = calls.setdefault(call.index, {"id": "", "name": "", "arguments": ""})
                        if call.id and call.id != "null":
                            begun["id"] = call.id
                        begun["name"] += call.function.name or ""
                        arguments = call.function.arguments
                        begun["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments)
        message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
                for call in calls.values()
            ]
        messages.append(message)
        return (
            text,
            "",
            [
                {"id": call["id"], "name": call["name"], "input": json.loads(call["arguments"])}
                for call in calls.values()
            ],
        )

    def give(calls):
        for call in calls:
            messages.append(
                {"role": "tool", "tool_call_id": call["id"], "name": call["name"], "content": call["result"]}
            )

    return loop(turn, give)


def embed(task):
    answer = client(task).embeddings.create(model=task["model"], inputs=["a", "b"])
    return [len(item.embedding) for item in answer.data]


def middle(task):
    answer = client(task).fim.complete(model=task["model"], prompt="def add(a, b):", suffix="\n")
    return answer.choices[0].message.content


def models(task):
    return task["model"] in [model.id for model in client(task).models.list().data]


serve(plain=plain, loop=tool_loop, embeddings=embed, middle=middle, models=models)
