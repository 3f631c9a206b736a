import { ownMember } from '@tollgate/contract/own-member'
import { noUsage, type ToolCalls, type Usage } from '../../billing/usage.ts'
import { type JsonObject, textOf } from '../../dialects/conversation/json.ts'
import { billedPart, responseExtras, toolsInItems } from '../../dialects/openai-responses/tools-used.ts'
import { type Extras, extrasOf } from '../../dialects/tools/tools-used.ts'

/** Most items of one response, and most concurrent responses. */
const mostItems = 2000
const mostResponses = 100

const larger = (one: ToolCalls, other: ToolCalls): ToolCalls => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map((name) => [name, Math.max(ownMember(one, name) ?? 0, ownMember(other, name) ?? 0)]),
  )
}

/** Calls of provider tools in the responses of a session, including unfinished ones. */
export class ToolsOfTurns {
  /** Items of running responses, by the id of their response. */
  private readonly seen = new Map<string, JsonObject[]>()

  /** Notes a finished item. */
  see(response: string, item: JsonObject): void {
    const items = this.seen.get(response) ?? []
    if (items.length >= mostItems || (items.length === 0 && this.seen.size >= mostResponses)) return
    items.push(billedPart(item))
    this.seen.set(response, items)
  }

  /** Removes a finished response and returns its tools and tier. Its items may have arrived without it. */
  take(response: JsonObject): Extras {
    const id = textOf(response.id)
    const items = this.seen.get(id) ?? []
    this.seen.delete(id)
    const extras = responseExtras(response)
    if (items.length === 0) return extras
    const tools = larger(extras.tools ?? {}, callsIn(items))
    return Object.keys(tools).length === 0 ? extras : { ...extras, tools }
  }

  /** Tool calls of unfinished responses. */
  get underWay(): Usage {
    if (this.seen.size === 0) return noUsage
    return { ...noUsage, tools: callsIn([...this.seen.values()].flat()) }
  }
}

const callsIn = (items: readonly JsonObject[]): ToolCalls =>
  extrasOf(toolsInItems(items, undefined), undefined).tools ?? {}
