import { isObject, type JsonObject, membersOf, parsedJson, textIn, textOf } from '../../dialects/conversation/json.ts'
import { eventFrames, type Frames } from '../../dialects/frames.ts'

/** Events about a part of an item. */
const ofContent = /^response\.(content_part|output_text|refusal|reasoning_text)\./
const ofSummary = /^response\.reasoning_summary_/

/** Numbers the events of one stream. */
const openPlaces = () => {
  const places = new Map<string, number>()
  let sequence = 0
  let last = 0

  const placeOf = (event: JsonObject): number => {
    const id = textIn(event.item_id) ?? textIn(membersOf(event.item).id)
    const known = id === undefined ? undefined : places.get(id)
    if (known !== undefined) return known
    if (event.type === 'response.output_item.added') last = places.size
    if (id !== undefined) places.set(id, last)
    return last
  }

  return (event: JsonObject): JsonObject | undefined => {
    const type = textOf(event.type)
    if (!type.startsWith('response.') && type !== 'error') return undefined
    const added: Record<string, unknown> = {}
    if (typeof event.sequence_number !== 'number') added.sequence_number = sequence
    sequence += 1
    if ('item_id' in event || 'item' in event) {
      const place = placeOf(event)
      if (typeof event.output_index === 'number') last = event.output_index
      else added.output_index = place
    }
    if (ofContent.test(type) && typeof event.content_index !== 'number') added.content_index = 0
    if (ofSummary.test(type) && typeof event.summary_index !== 'number') added.summary_index = 0
    return Object.keys(added).length === 0 ? undefined : { ...event, ...added }
  }
}

/**
 * The events of a Responses stream with the numbers by which clients place them (`sequence_number`, `output_index`, `content_index`), where
 * an engine leaves them out as llama.cpp does. What it numbers itself stands.
 */
export const placedEvents = (): Frames => {
  const frames = eventFrames()
  const place = openPlaces()
  const placed = (message: string): string => {
    const event = parsedJson(message)
    const numbered = isObject(event) ? place(event) : undefined
    return numbered === undefined ? message : JSON.stringify(numbered)
  }
  return {
    push: (chunk) => frames.push(chunk).map(placed),
    rest: () => frames.rest().map(placed),
    get heldBytes() {
      return frames.heldBytes
    },
  }
}
