import type { ClaudeFacts } from './model-facts.ts'
import { familyOf } from './models.ts'

/** Binding of a model's thoughts (`ClaudeFacts.thoughts`); `free` for models of other makers. */
export const thoughtsAt = (model: string): ClaudeFacts['thoughts'] => familyOf(model)?.claude?.thoughts ?? 'free'
