import { isOptionKey, type Option, options, role } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { ImportRun } from '../run.ts'
import type { MovedOption } from '../site.ts'

/** Who the changes are by, in the trail. */
const actor = { id: 0, username: 'import', role: role.root, ip: '' }

const isUsable = ({ key, text }: MovedOption): boolean => isOptionKey(key) && options[key].read(text).ok

/** Saves options that nobody has set here; what has a value here keeps it. `found` is the number of the source's rows. */
export const writeOptions = async (run: ImportRun, moved: readonly MovedOption[], found: number): Promise<void> => {
  const { target, notes } = run
  run.count('option', { found: found + moved.filter(({ made }) => made === true).length })
  const rows = await target.database.query.selectFrom('options').select(['key', 'value']).execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const fresh: MovedOption[] = []
  let known = 0
  for (const option of moved) {
    if (!isUsable(option)) notes.note('option_refused', option.key)
    else if (!stored.has(option.key)) fresh.push(option)
    else if (sameText(option, stored.get(option.key))) known += 1
    else notes.note('option_kept', option.key)
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
