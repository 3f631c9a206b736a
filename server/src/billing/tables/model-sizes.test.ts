import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sizeOfModel, unknownSize } from './model-sizes.ts'

it.each([
  ['gpt-4', 8192],
  ['gpt-4o-mini', 128_000],
  ['openai/gpt-4.1-mini', 1_047_576],
  ['gpt-35-turbo', 16_385],
  ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 200_000],
  ['Claude-Sonnet-4-5', 1_000_000],
  ['models/gemini-2.5-flash', 1_048_576],
  ['gpt-4-all', unknownSize.context],
  ['constructor', unknownSize.context],
  ['my-own-model', unknownSize.context],
])('%s has a context of %d', (model, context) => expect(sizeOfModel(model).context).toBe(context))

it('marks models that research by themselves', () => {
  expect(sizeOfModel('o3-deep-research').researches).toBe(true)
  expect(sizeOfModel('Sonar-Pro').researches).toBe(true)
  expect(sizeOfModel('gpt-4o').researches).toBe(false)
})

const file = new URL('../../../../../shared/data/prices-2026-11.json', import.meta.url)
const isThere = existsSync(file)

describe.skipIf(!isThere)(`sizes${isThere ? '' : ' (skipped: ../shared/data is absent)'}`, () => {
  it('are never below the public table’s, so that no true report is refused', () => {
    const table: Record<string, { mode?: string; max_input_tokens?: number; max_output_tokens?: number }> = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const below = Object.entries(table)
      .filter(([, { mode }]) => mode === 'chat' || mode === 'responses' || mode === 'realtime')
      .filter(([model, { max_input_tokens: context = 0, max_output_tokens: output = 0 }]) => {
        const size = sizeOfModel(model)
        // Some hosts state the context once more where they state no output.
        return size.context < context || (output < context && size.output < output)
      })
      .map(([model, { max_input_tokens, max_output_tokens }]) => [model, max_input_tokens, max_output_tokens])
    expect(below).toEqual([])
  })
})
