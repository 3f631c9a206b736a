import type { ModuleCall } from '#server/gateway/module-calls.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import { ownFile, removeOwnFile } from '../own-file.ts'
import { idIn, limitIn } from '../page-query.ts'
import { sendContent } from '../send-content.ts'
import { geminiFile, geminiKey, idOfKey } from './file-names.ts'

/** As its list is documented (ai.google.dev/api/files#method:-files.list). */
const [usualListed, mostListed] = [10, 100]

/** Gemini's calls about files that are stored (ai.google.dev/api/files). */
export const geminiFileCalls = (files: KeptFiles) => ({
  async list({ context, caller, sendJson, address }: ModuleCall): Promise<void> {
    const query = new URLSearchParams(context.query)
    const token = idIn(query, 'pageToken')
    const page = await files.list(caller, {
      after: token === undefined ? undefined : idOfKey(token),
      limit: limitIn(query, { name: 'pageSize', most: mostListed, usual: usualListed }),
      order: 'desc',
    })
    const last = page.files.at(-1)
    const next = page.hasMore && last !== undefined ? { nextPageToken: geminiKey(last) } : {}
    const shown = page.files.map((file) => geminiFile(file, address()))
    sendJson(200, JSON.stringify({ ...(shown.length === 0 ? {} : { files: shown }), ...next }))
  },

  async get({ caller, params: [key = ''], sendJson, address }: ModuleCall): Promise<void> {
    sendJson(200, JSON.stringify(geminiFile(await ownFile(files, idOfKey(key), caller), address())))
  },

  async download({ context, caller, params: [key = ''] }: ModuleCall): Promise<void> {
    await sendContent(context.client, await ownFile(files, idOfKey(key), caller), files)
  },

  async remove({ caller, params: [key = ''], sendJson }: ModuleCall): Promise<void> {
    await removeOwnFile(files, idOfKey(key), caller)
    sendJson(200, '{}')
  },
})
