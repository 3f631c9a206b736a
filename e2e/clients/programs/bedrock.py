import json

import boto3
from botocore.config import Config
from harness import loop, serve


def client(task):
    return boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=task["url"],
        aws_access_key_id=task["key"],
        aws_secret_access_key=task["key"],
        config=Config(retries={"total_max_attempts": 1}, read_timeout=80),
    )


def converse(task, messages):
    functions = [
        {
            "toolSpec": {
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": {"json": tool["parameters"]},
            }
        }
        for tool in task["tools"]
    ]
    answer = client(task).converse_stream(
        modelId=task["model"],
        system=[{"text": "Be careful."}],
        messages=messages,
        toolConfig={"tools": functions},
        inferenceConfig={"maxTokens": 3000},
        additionalModelRequestFields={"thinking": {"type": "enabled", "budget_tokens": 1024}},
    )
    return answer["stream"]


def plain(task):
    messages = [{"role": "user", "content": [{"text": task["question"]}]}]
    answer = client(task).converse(modelId=task["model"], messages=messages)
    return "".join(part.get("text", "") for part in answer["output"]["message"]["content"])


def add(blocks, index, delta):
    block = blocks.setdefault(index, {})
    if "text" in delta:
        block["text"] = block.get("text", "") + delta["text"]
    elif "toolUse" in delta:
        block["toolUse"]["input"] += delta["toolUse"]["input"]
    else:
        reasoning = block.setdefault("reasoningContent", {})
        for name, value in delta["reasoningContent"].items():
            reasoning[name] = reasoning.get(name, type(value)()) + value


def whole(block):
    if "toolUse" in block:
        return {"toolUse": {**block["toolUse"], "input": json.loads(block["toolUse"]["input"] or "{}")}}
    reasoning = block.get("reasoningContent")
    if reasoning is None or "redactedContent" in reasoning:
        return block
    return {"reasoningContent": {"reasoningText": reasoning}}


def tool_loop(task):
    messages = [{"role": "user", "content": [{"text": task["question"]}]}]

    def turn():
        blocks = {}
        for event in converse(task, messages):
            if "contentBlockStart" in event:
                start = event["contentBlockStart"]
                if "toolUse" in start["start"]:
                    blocks[start["contentBlockIndex"]] = {"toolUse": {**start["start"]["toolUse"], "input": ""}}
            elif "contentBlockDelta" in event:
                add(blocks, event["contentBlockDelta"]["contentBlockIndex"], event["contentBlockDelta"]["delta"])
        content = [whole(blocks[index]) for index in sorted(blocks)]
        messages.append({"role": "assistant", "content": content})
        text = "".join(block.get("text", "") for block in content)
        thought = "".join(
            block.get("reasoningContent", {}).get("reasoningText", {}).get("text", "") for block in content
        )
        calls = [
            {"id": block["toolUse"]["toolUseId"], "name": block["toolUse"]["name"], "input": block["toolUse"]["input"]}
            for block in content
            if "toolUse" in block
        ]
        return text, thought, calls

    def give(calls):
        content = [
            {"toolResult": {"toolUseId": call["id"], "content": [{"text": call["result"]}]}} for call in calls
        ]
        messages.append({"role": "user", "content": content})

    return loop(turn, give)


serve(plain=plain, loop=tool_loop)
