import type { ImportProduct } from '@tollgate/contract'
import { openLitellm } from './litellm/litellm.ts'
import { openNewApi, openOneApi } from './panel/panel.ts'
import type { OpenSite } from './site.ts'

/** How the database of each product is read. */
export const products: Readonly<Record<ImportProduct, OpenSite>> = {
  'new-api': openNewApi,
  'one-api': openOneApi,
  litellm: openLitellm,
}
