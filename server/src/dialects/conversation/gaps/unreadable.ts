import type { UnsupportedFields } from '../unsupported-fields.ts'
import { InexpressibleError } from './inexpressible.ts'

/** The error of a conversation of whose last message nothing can be said in the target dialect. */
export const unreadable = (model: string, unsupported: UnsupportedFields): InexpressibleError => {
  const fields = unsupported.list().filter((field) => field.startsWith('messages.'))
  return new InexpressibleError('nothing_readable', { params: { model, fields: fields.join(', ') || 'messages' } })
}
