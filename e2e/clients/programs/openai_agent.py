import asyncio
import json

from agents import Agent, FunctionTool, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner
from agents import set_tracing_disabled
from harness import run_tool, serve
from openai import AsyncOpenAI
from openai.types.shared import Reasoning

# Traces would go to OpenAI itself.
set_tracing_disabled(True)


def tool_of(given):
    async def run(_context, _arguments):
        return run_tool(given["name"])

    return FunctionTool(
        name=given["name"],
        description=given["description"],
        params_json_schema=given["parameters"],
        on_invoke_tool=run,
        strict_json_schema=False,
    )


def agent_of(task):
    client = AsyncOpenAI(base_url=task["url"] + "/v1", api_key=task["key"], max_retries=0)
    kind = OpenAIResponsesModel if task["api"] == "responses" else OpenAIChatCompletionsModel
    summary = {"summary": "auto"} if task["api"] == "responses" else {}
    return Agent(
        name="mender",
        instructions="Be careful.",
        tools=[tool_of(one) for one in task["tools"]],
        model=kind(model=task["model"], openai_client=client),
        model_settings=ModelSettings(
            reasoning=Reasoning(effort="medium", **summary),
            max_tokens=3000,
            store=False,
            include_usage=True,
            response_include=["reasoning.encrypted_content"] if task["api"] == "responses" else None,
        ),
    )


def plain(task):
    return asyncio.run(Runner.run(agent_of(task), task["question"])).final_output


async def streamed(task):
    result = Runner.run_streamed(agent_of(task), task["question"])
    async for _event in result.stream_events():
        pass
    return result


def tool_loop(task):
    result = asyncio.run(streamed(task))
    turns = [{"text": "", "thought": "", "calls": []} for _ in result.raw_responses]
    for turn, response in zip(turns, result.raw_responses):
        for item in response.output:
            if item.type == "message":
                turn["text"] += "".join(part.text for part in item.content)
            if item.type == "reasoning":
                turn["thought"] += "".join(part.text for part in item.summary)
            if item.type == "function_call":
                turn["calls"].append({"name": item.name, "input": json.loads(item.arguments)})
    return turns


serve(plain=plain, loop=tool_loop)
