import { waitForUpdate } from '@pydantic/genai-prices'
import { z } from 'zod'
import { type FactsByModel, factsKey } from './facts-by-model.ts'

const providers = z.array(
  z.object({
    id: z.string(),
    models: z.array(
      z.object({ id: z.string(), description: z.string().optional(), context_window: z.int().optional() }),
    ),
  }),
)

/** Notes for those who keep the catalogue. */
const isNote = /^retired|price sources/i

/** Reads what comes with the package; nothing is fetched. */
export const readCatalogueFacts = async (): Promise<FactsByModel> =>
  new Map(
    providers.parse(await waitForUpdate()).flatMap(({ id: provider, models }) =>
      models.map(({ id, description = '', context_window: context = 0 }) => {
        const facts = { description: isNote.test(description) ? '' : description, context }
        return [factsKey(provider, id), facts] as const
      }),
    ),
  )
