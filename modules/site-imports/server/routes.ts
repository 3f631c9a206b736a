import {
  getSiteImport,
  type Language,
  type SiteImportState,
  startSiteImport,
  uploadSiteImport,
} from '@tollgate/contract'
import { actorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import { readError } from '#server/lib/json/stored-error.ts'
import type { SiteImports } from './site-imports.ts'

const inLanguage = (state: SiteImportState, language: Language): SiteImportState => {
  const { text, ...fields } = readError(state.error, language)
  return { ...state, error: text, ...fields }
}

/** The console's calls for moving another gateway's database in. */
export const siteImportRoutes = (on: On, imports: SiteImports): void => {
  on(getSiteImport, async ({ language }) => ({ data: inLanguage(await imports.state(), language) }))
  on(startSiteImport, async (call) => ({
    data: inLanguage(await imports.start(actorOf(call), call.body), call.language),
  }))
  on(uploadSiteImport, async (call) => {
    const { id, offset, data } = call.body
    return { data: await imports.upload(actorOf(call), { id, offset, data: Buffer.from(data, 'base64') }) }
  })
}
