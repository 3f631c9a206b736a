import { getSiteImport, startSiteImport, uploadSiteImport } from '@tollgate/contract'
import { actorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { SiteImports } from './site-imports.ts'

/** The console's calls for moving another gateway's database in. */
export const siteImportRoutes = (on: On, imports: SiteImports): void => {
  on(getSiteImport, async () => ({ data: await imports.state() }))
  on(startSiteImport, async (call) => ({ data: await imports.start(actorOf(call), call.body) }))
  on(uploadSiteImport, async (call) => {
    const { id, offset, data } = call.body
    return { data: await imports.upload(actorOf(call), { id, offset, data: Buffer.from(data, 'base64') }) }
  })
}
