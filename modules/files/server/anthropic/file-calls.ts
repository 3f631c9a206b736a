import type { ModuleCall } from '#server/gateway/module-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { Reader } from '#server/relay/reader.ts'
import { isUploading, type KeptFile, type KeptFiles } from '#server/relay/stored/kept-files.ts'
import { storeForm } from '../openai/create-file.ts'
import { ownFile, removeOwnFile } from '../own-file.ts'
import { idIn, limitIn } from '../page-query.ts'

/** As its list is documented (platform.claude.com/docs/en/api/files-list). */
const [usualListed, mostListed] = [20, 1000]
const mostIds = 100

const shown = ({ id, filename, contentType, bytes, createdAt }: KeptFile) => ({
  id,
  type: 'file',
  filename,
  mime_type: contentType,
  size_bytes: bytes,
  created_at: new Date(createdAt * 1000).toISOString(),
  downloadable: true,
})

/** Ids to which a list is narrowed; undefined for none. Throws AppError('invalid_text_request'). */
const idsIn = (query: URLSearchParams): readonly string[] | undefined => {
  const ids = [...new Set([...query.getAll('ids'), ...query.getAll('ids[]')])]
  if (ids.length > mostIds)
    throw new AppError('invalid_text_request', { params: { detail: `ids must be at most ${mostIds}` } })
  return ids.length === 0 ? undefined : ids
}

/** Anthropic's calls about files (platform.claude.com/docs/en/build-with-claude/files). */
export const anthropicFileCalls = (files: KeptFiles) => {
  const foundOf = async (ids: readonly string[], caller: Reader): Promise<readonly KeptFile[]> => {
    const found: KeptFile[] = []
    for (const id of ids) {
      const file = await files.find(id, caller)
      if (file !== undefined && !isUploading(file)) found.push(file)
    }
    return found
  }

  return {
    async create(call: ModuleCall): Promise<void> {
      const file = await storeForm(call, files, { fileField: 'file', settings: () => ({ purpose: 'user_data' }) })
      call.sendJson(200, JSON.stringify(shown(file)))
    },

    async list({ context, caller, sendJson }: ModuleCall): Promise<void> {
      const query = new URLSearchParams(context.query)
      const ids = idsIn(query)
      const page =
        ids === undefined
          ? await files.list(caller, {
              after: idIn(query, 'page') ?? idIn(query, 'after_id'),
              before: idIn(query, 'before_id'),
              limit: limitIn(query, { name: 'limit', most: mostListed, usual: usualListed }),
              order: 'desc',
            })
          : { files: await foundOf(ids, caller), hasMore: false }
      const data = page.files.map(shown)
      const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null]
      const ends = { has_more: page.hasMore, first_id: first, last_id: last, next_page: page.hasMore ? last : null }
      sendJson(200, JSON.stringify({ data, ...ends }))
    },

    async get({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
      sendJson(200, JSON.stringify(shown(await ownFile(files, id, caller))))
    },

    async remove({ caller, params: [id = ''], sendJson }: ModuleCall): Promise<void> {
      await removeOwnFile(files, id, caller)
      sendJson(200, JSON.stringify({ id, type: 'file_deleted' }))
    },
  }
}
