import json

from harness import gives_chat, loop, serve
from huggingface_hub import InferenceClient


def client(task):
    return InferenceClient(base_url=task["url"] + "/v1", api_key=task["key"], timeout=80)


def plain(task):
    messages = [{"role": "user", "content": task["question"]}]
    return client(task).chat_completion(model=task["model"], messages=messages).choices[0].message.content


def tool_loop(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "function": tool} for tool in task["tools"]]

    opened = client(task)

    def turn():
        text, thought, calls = "", "", {}
        for chunk in opened.chat_completion(
            model=task["model"],
            messages=messages,
            tools=tools,
            stream=True,
            stream_options={"include_usage": True},
            extra_body={"reasoning_effort": "medium"},
        ):
            for choice in chunk.choices:
                delta = choice.delta
                text += delta.content or ""
                thought += getattr(delta, "reasoning_content", None) or ""
                for call in delta.tool_calls or []:
                    begun = calls.setdefault(call.index, {"id": "", "name": "", "arguments": ""})
                    begun["id"] = call.id or begun["id"]
                    begun["name"] += call.function.name or ""
                    begun["arguments"] += call.function.arguments or ""
        message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
                for call in calls.values()
            ]
        messages.append(message)
        return (
            text,
            thought,
            [
                {"id": call["id"], "name": call["name"], "input": json.loads(call["arguments"])}
                for call in calls.values()
            ],
        )

    return loop(turn, gives_chat(messages))


serve(plain=plain, loop=tool_loop)
