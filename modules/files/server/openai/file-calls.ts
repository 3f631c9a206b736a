import type { ModuleCall } from '#server/gateway/module-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import { ownFile, removeOwnFile } from '../own-file.ts'
import { idIn, limitIn } from '../page-query.ts'
import { checkedPurpose, endAfter, openaiFile, storeForm } from './create-file.ts'

/** A list asks for as many at a time unless it says otherwise (platform.openai.com/docs/api-reference/files/list). */
const mostListed = 10_000

const orderIn = (query: URLSearchParams): 'asc' | 'desc' => {
  const order = query.get('order') ?? 'desc'
  if (order === 'asc' || order === 'desc') return order
  throw new AppError('invalid_text_request', { params: { detail: 'order must be asc or desc' } })
}

/** OpenAI's calls about files (platform.openai.com/docs/api-reference/files). */
export const openaiFileCalls = (files: KeptFiles) => ({
  async create(call: ModuleCall): Promise<void> {
    const file = await storeForm(call, files, {
      fileField: 'file',
      settings: (fields, createdAt) => ({
        purpose: checkedPurpose(fields.get('purpose')),
        expiresAt: endAfter(fields.get('expires_after[anchor]'), fields.get('expires_after[seconds]'), createdAt),
      }),
    })
    call.sendJson(200, JSON.stringify(openaiFile(file)))
  },

  async list({ context, caller, sendJson }: ModuleCall): Promise<void> {
    const query = new URLSearchParams(context.query)
    const purpose = query.get('purpose')
    const page = await files.list(caller, {
      after: idIn(query, 'after'),
      limit: limitIn(query, { name: 'limit', most: mostListed, usual: mostListed }),
      order: orderIn(query),
      ...(purpose === null || purpose === '' ? {} : { purpose: checkedPurpose(purpose) }),
    })
    const data = page.files.map(openaiFile)
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    sendJson(200, JSON.stringify({ object: 'list', data, ...ends, has_more: page.hasMore }))
  },

  async get({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
    sendJson(200, JSON.stringify(openaiFile(await ownFile(files, id, caller))))
  },

  async remove({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
    await removeOwnFile(files, id, caller)
    sendJson(200, JSON.stringify({ id, object: 'file', deleted: true }))
  },
})
