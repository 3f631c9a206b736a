import { endpoint } from '@tollgate/contract/endpoint'
import { idParams, pageOf, pageQuery } from '@tollgate/contract/page'
import { z } from 'zod'

/** Characters of a note. */
export const longestNote = 2000

/** Operator's note about a user. The user never sees it. */
export const userNote = z.object({
  id: z.int(),
  text: z.string(),
  author_id: z.int(),
  /** The author's name when it was written. */
  author_name: z.string(),
  created_time: z.int(),
})
export type UserNote = z.output<typeof userNote>

export const listUserNotes = endpoint({
  method: 'GET',
  path: '/api/user/:id/notes',
  access: 'admin',
  summary: 'What operators wrote down about a user, newest first; the user never sees it',
  params: idParams,
  query: z.object(pageQuery),
  data: pageOf(userNote),
})

export const addUserNote = endpoint({
  method: 'POST',
  path: '/api/user/:id/notes',
  access: 'admin',
  summary: 'Writes a note about a user',
  params: idParams,
  body: z.object({ text: z.string().trim().min(1).max(longestNote) }),
  data: userNote,
})

export const deleteUserNote = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/notes/:note',
  access: 'admin',
  summary: 'Deletes a note about a user; its text stays in the audit log',
  params: idParams.extend({ note: z.coerce.number().int().positive() }),
})
