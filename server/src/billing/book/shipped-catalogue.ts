import { createRequire } from 'node:module'
import { waitForUpdate } from '@pydantic/genai-prices'
import { type CatalogueProviderData, catalogueData } from './catalogue-data.ts'

const shippedVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const found = createRequire(import.meta.url)(entry.replace(/dist[\\/]index\.cjs$/, 'package.json'))
  return `genai-prices ${found.version}`
}

/** The catalogue that is shipped with this version of the product. */
export const shippedCatalogue = async (): Promise<{ version: string; providers: CatalogueProviderData[] }> => ({
  version: shippedVersion(),
  providers: catalogueData.parse(await waitForUpdate()),
})
