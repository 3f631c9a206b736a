import type { PriceSourceName } from '@tollgate/contract'
import { catalogueReader } from './catalogue.ts'
import { litellmReader } from './litellm.ts'
import { modelsDevReader } from './models-dev.ts'
import { openrouterReader } from './openrouter.ts'
import { ownExportReader } from './own-export.ts'
import { panelReader } from './panel.ts'
import type { PriceReader } from './source.ts'

export type RemoteSource = Exclude<PriceSourceName, 'shipped'>

/** How each source that is read from the network is read. */
export const readers: Readonly<Record<RemoteSource, PriceReader>> = {
  catalogue: catalogueReader,
  litellm: litellmReader,
  models_dev: modelsDevReader,
  openrouter: openrouterReader,
  panel: panelReader,
}

/** The reader of a file; undefined for one of an unknown shape. */
export const readerOf = (json: unknown): PriceReader | undefined =>
  [ownExportReader, ...Object.values(readers)].find((reader) => reader.matches(json))
