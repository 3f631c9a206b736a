import { searchesIn } from '../anthropic/tools-used.ts'
import type { Answer, Part } from '../conversation/conversation.ts'
import type { JsonObject } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import { billedPart, toolsInItems } from '../openai-responses/tools-used.ts'
import { type Extras, extrasOf, tierOf } from './tools-used.ts'

/** Counts billed tool calls and reads the service tier of a translated stream. One per stream. */
export interface ProviderCalls {
  note(event: StreamEvent): void
  extras(): Extras
}

const countParts = () => {
  const items: JsonObject[] = []
  let searches = 0
  return {
    add(part: Part) {
      if (part.kind !== 'opaque') return
      if (part.dialect === 'openai-responses') items.push(billedPart(part.value))
      else if (part.dialect === 'anthropic') searches += searchesIn([part.value])
    },
    calls() {
      const { web_search = 0, ...others } = toolsInItems(items, [])
      return { ...others, web_search: web_search + searches }
    },
  }
}

export const createProviderCalls = (): ProviderCalls => {
  const parts = countParts()
  let tier: string | undefined
  let certain: Extras['tools']
  return {
    note(event) {
      if (event.kind === 'part') parts.add(event.part)
      if (event.kind !== 'start') return
      tier = tierOf(event.serviceTier)
      certain = event.tools
    },
    extras: () => extrasOf({ ...parts.calls(), ...certain }, tier),
  }
}

/** Billed tool calls and service tier of a whole answer that reports no usage. */
export const extrasOfAnswer = ({ choices, serviceTier }: Answer): Extras => {
  const parts = countParts()
  for (const part of choices.flatMap((choice) => choice.parts)) parts.add(part)
  return extrasOf(parts.calls(), tierOf(serviceTier))
}
