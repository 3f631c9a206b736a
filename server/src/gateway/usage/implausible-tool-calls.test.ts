import { describe, expect, it } from 'vitest'
import { message, question, respond, response } from '../../../test/support/gateway/dialects.ts'
import { ask, hi, lastRecord, upstream, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'
import { type Answer, claude, openaiBody } from '../../../test/support/gateway/usage-reports.ts'

/** Upstreams that report impossible numbers of tool calls: what the answer shows is charged, and the receipt disputes the rest. */

useScene()

const messages = '/v1/messages'
const responses = '/v1/responses'

describe('calls of tools', () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } }
  const searching = (num_requests: unknown): Answer =>
    json({ ...response, output: [search, ...response.output], tool_usage: { web_search: { num_requests } } })

  it.each([0.5, 1e15, 1e300, -3, 'seven'])('are counted in the answer where %j are reported', async (count) => {
    upstream.answer = searching(count)
    const got = await ask({ ...respond, tools: [{ type: 'web_search' }] }, responses)
    expect(got.status).toBe(200)
    expect(lastRecord()).toMatchObject({ kind: 'charge', receipt: { tools: [{ tool: 'web_search', quantity: 1 }] } })
  })

  it('are counted as a text of digits says', async () => {
    upstream.answer = searching('7')
    await ask({ ...respond, tools: [{ type: 'web_search' }] }, responses)
    expect(lastRecord()).toMatchObject({ receipt: { tools: [{ tool: 'web_search', quantity: 7 }] } })
  })

  it.each([0.5, 1e15, 1e300])('reported as %j are disputed', async (count) => {
    upstream.answer = searching(count)
    await ask({ ...respond, tools: [{ type: 'web_search' }] }, responses)
    expect(lastRecord()).toMatchObject({ receipt: { disputed: { web_search: count } } })
  })

  it.each([
    ['num_search_queries', { num_search_queries: 1e15 }, 'search_query'],
    ['num_sources_used', { num_sources_used: 0.5 }, 'live_search'],
    ['server_tool_use', { server_tool_use: { web_search_requests: 1e12 } }, 'web_search'],
    ['server_side_tool_usage_details', { server_side_tool_usage_details: { x_search_calls: 5e6 } }, 'x_search'],
  ])('in %s cannot be any number', async (_, more, tool) => {
    upstream.answer = openaiBody({ prompt_tokens: 10, completion_tokens: 5, ...more })
    expect((await ask(hi)).status).toBe(200)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5, receipt: { estimated: false } })
    expect(lastRecord()?.receipt?.tools).toBeUndefined()
    expect(lastRecord()?.receipt?.disputed).toHaveProperty(tool)
  })

  it('of Claude cannot be any number', async () => {
    useChannels(claude())
    const usage = { ...message.usage, server_tool_use: { web_search_requests: 1e15 } }
    upstream.answer = json({ ...message, usage })
    expect((await ask(question, messages)).status).toBe(200)
    expect(lastRecord()?.receipt).toMatchObject({ disputed: { web_search: 1e15 } })
    expect(lastRecord()?.receipt?.tools).toBeUndefined()
  })
})
