import { isOptionKey, type Option, options, role } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { ImportRun } from '../run.ts'
import type { MovedOption } from '../site.ts'

/** Actor of the changes in the audit log. */
const actor = { id: 0, username: 'import', role: role.root, ip: '' }

const isUsable = ({ key, text }: MovedOption): boolean => isOptionKey(key) && options[key].read(text).ok

/** Prices by model; a model has one here where the first of them, or a list, says so. */
const priceMaps = ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'CacheWriteRatio'] as const

type Stored = ReadonlyMap<string, string>

/**
 * Maps that are stored here, with what the source says of models that have no price here at all: these could not be called, and
 * nothing of this site is overwritten.
 */
const pricesWithGapsFilled = (
  moved: readonly MovedOption[],
  stored: Stored,
  listed: (model: string) => unknown,
): readonly MovedOption[] => {
  const mapOf = (text: string | undefined) => parseObject(text ?? '')
  const texts = new Map(moved.map(({ key, text }) => [key, text]))
  const own = { ...mapOf(stored.get('ModelRatio')), ...mapOf(stored.get('ModelPrice')) }
  const unpriced = new Set(
    Object.keys(mapOf(texts.get('ModelRatio'))).filter(
      (model) => !Object.hasOwn(own, model) && listed(model) === undefined,
    ),
  )
  return priceMaps.flatMap((key): MovedOption[] => {
    const here = mapOf(stored.get(key))
    const added = Object.entries(mapOf(texts.get(key))).filter(
      ([model]) => unpriced.has(model) && !Object.hasOwn(here, model),
    )
    if (!stored.has(key) || added.length === 0) return []
    return [{ key, text: JSON.stringify({ ...here, ...Object.fromEntries(added) }) }]
  })
}

/** Saves options that nobody has set here, and prices of models that have none; what has a value here keeps it. `found` is the number of the source's rows. */
export const writeOptions = async (
  run: ImportRun,
  moved: readonly MovedOption[],
  { found, listed }: { readonly found: number; listed(model: string): unknown },
): Promise<void> => {
  const { target, notes } = run
  run.count('option', { found: found + moved.filter(({ made }) => made === true).length })
  const rows = await target.database.query.selectFrom('options').select(['key', 'value']).execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const filled = new Map(pricesWithGapsFilled(moved, stored, listed).map((option) => [option.key, option]))
  const fresh: MovedOption[] = []
  let known = 0
  for (const option of moved) {
    if (!isUsable(option)) notes.note('option_refused', option.key)
    else if (!stored.has(option.key)) fresh.push(option)
    else if (sameText(option, stored.get(option.key))) known += 1
    else {
      const more = filled.get(option.key)
      if (more !== undefined) fresh.push(more)
      if (more === undefined || !sameText(option, more.text)) notes.note('option_kept', option.key)
    }
  }
  const ratios = fresh.find(({ key }) => key === 'GroupRatio')
  if (ratios !== undefined) run.bringsGroups(Object.keys(parseObject(ratios.text)))
  run.count('option', { known, carried: run.dryRun ? fresh.length : await save(run, fresh) })
}

/** Stored secrets cannot be compared: they count as kept. */
const sameText = ({ key, text }: MovedOption, stored: string | undefined): boolean => {
  if (!isOptionKey(key)) return false
  const option: Option<unknown> = options[key]
  const reading = option.read(text)
  return option.secret || (reading.ok && option.print(reading.value) === stored)
}

/** Saves all that is not refused, and answers how many that are. */
const save = async ({ target, notes }: ImportRun, wanted: readonly MovedOption[]): Promise<number> => {
  for (let left = wanted; left.length > 0; ) {
    const refused = await target.options.setAll(left, actor)
    if (refused.length === 0) return left.length
    const names = new Set(refused.map(({ key }) => key))
    for (const key of names) notes.note('option_refused', key)
    left = left.filter(({ key }) => !names.has(key))
  }
  return 0
}
