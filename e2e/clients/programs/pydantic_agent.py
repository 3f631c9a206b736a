import asyncio
import json

from harness import run_tool, serve
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart


def model_of(task):
    if task["api"] == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(base_url=task["url"], api_key=task["key"], max_retries=0)
        return AnthropicModel(task["model"], provider=AnthropicProvider(anthropic_client=client)), {
            "anthropic_thinking": {"type": "enabled", "budget_tokens": 1024}
        }
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(base_url=task["url"] + "/v1", api_key=task["key"], max_retries=0)
    kind = OpenAIResponsesModel if task["api"] == "responses" else OpenAIChatModel
    settings = {"openai_reasoning_effort": "medium"}
    if task["api"] == "responses":
        settings |= {"openai_reasoning_summary": "auto", "openai_store": False}
    return kind(task["model"], provider=OpenAIProvider(openai_client=client)), settings


def agent_of(task):
    model, settings = model_of(task)

    def tool(given):
        def run(**_):
            return run_tool(given["name"])

        return Tool.from_schema(run, name=given["name"], description=given["description"], json_schema=given["parameters"])

    return Agent(
        model,
        instructions="Be careful.",
        tools=[tool(one) for one in task["tools"]],
        model_settings={**settings, "max_tokens": 3000},
        retries=0,
    )


def plain(task):
    return asyncio.run(agent_of(task).run(task["question"])).output


async def events(_, stream):
    async for _event in stream:
        pass


def parsed(arguments):
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def tool_loop(task):
    result = asyncio.run(agent_of(task).run(task["question"], event_stream_handler=events))
    turns = []
    for message in result.all_messages():
        if not isinstance(message, ModelResponse):
            continue
        parts = message.parts
        calls = [{"name": part.tool_name, "input": parsed(part.args)} for part in parts if isinstance(part, ToolCallPart)]
        turns.append(
            {
                "text": "".join(part.content for part in parts if isinstance(part, TextPart)),
                "thought": "".join(part.content for part in parts if isinstance(part, ThinkingPart)),
                "calls": calls,
            }
        )
    return turns


serve(plain=plain, loop=tool_loop)
