import { searchesIn } from '../../dialects/anthropic/tools-used.ts'
import type { Answer, Part } from '../../dialects/conversation/conversation.ts'
import type { Members } from '../../dialects/conversation/json.ts'
import type { StreamEvent } from '../../dialects/conversation/stream-event.ts'
import { billedPart, toolsInItems } from '../../dialects/openai-responses/tools-used.ts'
import { type Extras, extrasOf, tierOf } from '../../dialects/tools/tools-used.ts'

/** Tools and tier as a conversion sees them; what only one dialect has words for comes through it whole. */
export interface SeenTools {
  see(event: StreamEvent): void
  extras(): Extras
}

const openParts = () => {
  const items: Members[] = []
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

export const openSeen = (): SeenTools => {
  const parts = openParts()
  let tier: string | undefined
  let certain: Extras['tools']
  return {
    see(event) {
      if (event.kind === 'part') parts.add(event.part)
      if (event.kind !== 'start') return
      tier = tierOf(event.serviceTier)
      certain = event.tools
    },
    extras: () => extrasOf({ ...parts.calls(), ...certain }, tier),
  }
}

/** Of a whole answer whose tokens nobody reported. */
export const extrasOfAnswer = ({ choices, serviceTier }: Answer): Extras => {
  const parts = openParts()
  for (const part of choices.flatMap((choice) => choice.parts)) parts.add(part)
  return extrasOf(parts.calls(), tierOf(serviceTier))
}
