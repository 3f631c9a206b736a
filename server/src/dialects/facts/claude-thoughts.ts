import type { ClaudeFacts } from './model-facts.ts'
import { familyOf } from './models.ts'

/** What a model's thoughts are bound to (`ClaudeFacts.thoughts`); `free` for models of other makers. */
export const thoughtsAt = (model: string): ClaudeFacts['thoughts'] => familyOf(model)?.claude?.thoughts ?? 'free'
