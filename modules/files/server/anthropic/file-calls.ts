import type { ModuleCall } from '#server/gateway/module-calls.ts'
import type { KeptFile, KeptFiles } from '#server/relay/stored/kept-files.ts'
import { storeForm } from '../openai/create-file.ts'
import { ownFile, removeOwnFile } from '../own-file.ts'
import { idIn, limitIn } from '../page-query.ts'

/** As its list is documented (platform.claude.com/docs/en/api/files-list). */
const [usualListed, mostListed] = [20, 1000]

const shown = ({ id, filename, contentType, bytes, createdAt }: KeptFile) => ({
  id,
  type: 'file',
  filename,
  mime_type: contentType,
  size_bytes: bytes,
  created_at: new Date(createdAt * 1000).toISOString(),
  downloadable: true,
})

/** Anthropic's calls about files (platform.claude.com/docs/en/build-with-claude/files). */
export const anthropicFileCalls = (files: KeptFiles) => ({
  async create(call: ModuleCall): Promise<void> {
    const file = await storeForm(call, files, { fileField: 'file', settings: () => ({ purpose: 'user_data' }) })
    call.sendJson(200, JSON.stringify(shown(file)))
  },

  async list({ context, caller, sendJson }: ModuleCall): Promise<void> {
    const query = new URLSearchParams(context.query)
    const page = await files.list(caller, {
      after: idIn(query, 'after_id'),
      before: idIn(query, 'before_id'),
      limit: limitIn(query, { name: 'limit', most: mostListed, usual: usualListed }),
      order: 'desc',
    })
    const data = page.files.map(shown)
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    sendJson(200, JSON.stringify({ data, has_more: page.hasMore, ...ends }))
  },

  async get({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
    sendJson(200, JSON.stringify(shown(await ownFile(files, id, caller))))
  },

  async remove({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
    await removeOwnFile(files, id, caller)
    sendJson(200, JSON.stringify({ id, type: 'file_deleted' }))
  },
})
