import { expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { geminiPath, messagesPath, sent } from '../support/gateway/sent.ts'

/** Budgets for thinking that are greater or less than a model of Google accepts. */

useScene()

const messages = [{ role: 'user', content: 'x' }]

it.each([
  ['gemini-2.5-flash', 31_999, 24_576],
  ['gemini-2.5-pro', 60_000, 32_768],
  ['gemini-2.5-flash-lite', 31_999, 24_576],
])('the budget of Claude Code for %s, %i, becomes %i', async (model, budget_tokens, thinkingBudget) => {
  const thinking = { type: 'enabled', budget_tokens }
  const { body } = await sent(24, messagesPath, { model, max_tokens: 64_000, thinking, messages })
  expect(body.generationConfig?.thinkingConfig).toMatchObject({ thinkingBudget })
})

const asking = (config: object) => ({
  contents: [{ role: 'user', parts: [{ text: 'x' }] }],
  generationConfig: { thinkingConfig: config },
})

it.each([
  ['gemini-2.5-flash', { thinkingBudget: 32_768 }, { thinkingBudget: 24_576 }],
  ['gemini-2.5-pro', { thinking_budget: 0, includeThoughts: true }, { thinking_budget: 128, includeThoughts: true }],
])('of a client of Google’s, which may have meant another model: %s %j', async (model, config, expected) => {
  const { body, lost } = await sent(24, geminiPath(model), asking(config))
  expect(body.generationConfig?.thinkingConfig).toEqual(expected)
  expect(lost).toEqual(['generationConfig.thinkingConfig.thinkingBudget'])
})

it.each([
  ['gemini-2.5-flash', '{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}, "contents":[]}'],
  ['gemini-2.5-pro', '{"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}, "contents":[]}'],
  ['gemini-3-flash-preview', '{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}, "contents":[]}'],
])('%s keeps the bytes of what it accepts: %s', async (model, text) => {
  expect((await sent(24, geminiPath(model), text)).raw).toBe(text)
})
