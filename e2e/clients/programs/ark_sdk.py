import json

from harness import gives_chat, gives_items, loop, serve
from volcenginesdkarkruntime import Ark


def client(task):
    return Ark(base_url=task["url"] + "/api/v3", api_key=task["key"], max_retries=0, timeout=80)


def plain(task):
    if task["api"] == "responses":
        answer = client(task).responses.create(model=task["model"], input=task["question"])
        parts = [part for item in answer.output if item.type == "message" for part in item.content]
        return "".join(part.text for part in parts)
    messages = [{"role": "user", "content": task["question"]}]
    answer = client(task).chat.completions.create(model=task["model"], messages=messages)
    return answer.choices[0].message.content


def chat_loop(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "function": tool} for tool in task["tools"]]

    def turn():
        text, thought, begun = "", "", {}
        for chunk in client(task).chat.completions.create(
            model=task["model"],
            messages=messages,
            tools=tools,
            reasoning_effort="medium",
            stream=True,
            stream_options={"include_usage": True},
        ):
            for choice in chunk.choices:
                text += choice.delta.content or ""
                thought += choice.delta.reasoning_content or ""
                for call in choice.delta.tool_calls or []:
                    kept = begun.setdefault(call.index, {"id": "", "name": "", "arguments": ""})
                    kept["id"] = call.id or kept["id"]
                    kept["name"] += call.function.name or ""
                    kept["arguments"] += call.function.arguments or ""
        message = {"role": "assistant", "content": text}
        if thought:
            message["reasoning_content"] = thought
        if begun:
            message["tool_calls"] = [
                {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
                for call in begun.values()
            ]
        messages.append(message)
        calls = [
            {"id": call["id"], "name": call["name"], "input": json.loads(call["arguments"])} for call in begun.values()
        ]
        return text, thought, calls

    return loop(turn, gives_chat(messages))


def responses_loop(task):
    items = [{"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "strict": False, **tool} for tool in task["tools"]]

    def turn():
        answer = None
        for event in client(task).responses.create(
            model=task["model"],
            instructions="Be careful.",
            input=items,
            tools=tools,
            store=False,
            stream=True,
            reasoning={"effort": "medium"},
            extra_body={"include": ["reasoning.encrypted_content"]},
        ):
            if event.type in ("response.completed", "response.incomplete"):
                answer = event.response
        text, thought, calls = "", "", []
        for item in answer.output:
            items.append(item.model_dump(exclude_none=True))
            if item.type == "message":
                text += "".join(part.text for part in item.content)
            if item.type == "reasoning":
                thought += "".join(part.text for part in item.summary)
            if item.type == "function_call":
                calls.append({"id": item.call_id, "name": item.name, "input": json.loads(item.arguments)})
        return text, thought, calls

    return loop(turn, gives_items(items))


def embed(task):
    answer = client(task).embeddings.create(model=task["model"], input=["a", "b"])
    return [[len(item.embedding) for item in answer.data], answer.usage.total_tokens]


serve(
    plain=plain,
    loop=lambda task: responses_loop(task) if task["api"] == "responses" else chat_loop(task),
    embeddings=embed,
)
