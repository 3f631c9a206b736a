import type { Plugin } from 'vite'

const name = 'virtual:options'

/** Fields of the contract's registry of options (contract/src/options) that are read here. */
interface FullOption {
  readonly fallback: unknown
  readonly [fact: string]: unknown
  print(value: never): string
}
interface FullSection {
  readonly name: string
  readonly tab: string
  readonly title: unknown
  readonly note?: unknown
  readonly options: Readonly<Record<string, FullOption>>
}
export interface Registry {
  readonly tabs: readonly { readonly tab: string; readonly title: unknown }[]
  readonly sections: readonly FullSection[]
}

/** Longer defaults, which are tables, are not part of the facts. */
const longestStandard = 200

/** Facts of an option that every place of the screen needs: its control, its name, and the roles that see and write it. */
const facts = ['control', 'label', 'unit', 'min', 'max', 'secret', 'hidden', 'inert', 'see', 'write', 'status'] as const
/** Texts of an option, needed only where it is drawn. */
const words = ['help', 'choices', 'risk'] as const

/** The named members of an option; those that are false are left out, since absent means the same. */
const pick = (option: FullOption, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((key) => (option[key] === undefined || option[key] === false ? [] : [[key, option[key]]])),
  )

const factsOf = (option: FullOption): Record<string, unknown> => {
  const standard = option.print(option.fallback as never)
  return {
    ...pick(option, facts),
    ...(option.requires === undefined ? {} : { needsOthers: true }),
    ...(standard.length > longestStandard ? {} : { standard }),
  }
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

const wordsIn = ({ sections }: Registry, tab: string) => {
  const ofTab = sections.filter((section) => section.tab === tab)
  return {
    notes: Object.fromEntries(
      ofTab.flatMap(({ name: section, note }) => (note === undefined ? [] : [[section, note]])),
    ),
    options: mapValues(Object.assign({}, ...ofTab.map(({ options }) => options)), (option: FullOption) =>
      pick(option, words),
    ),
  }
}

/** Prints one of the modules offered here; undefined for all others. */
export const printOptions = (id: string, registry: Registry): string | undefined => {
  const { tabs, sections } = registry
  if (id === name) {
    const lean = sections.map((section) => ({
      name: section.name,
      tab: section.tab,
      title: section.title,
      options: mapValues(section.options, factsOf),
    }))
    const loads = tabs.map(({ tab }) => `${JSON.stringify(tab)}: () => import('${name}/${tab}')`)
    return [
      `export const tabs = ${JSON.stringify(tabs)}`,
      `export const sections = ${JSON.stringify(lean)}`,
      `export const loadWords = { ${loads.join(', ')} }`,
    ].join('\n')
  }
  if (id === `${name}/help`) {
    const all: Readonly<Record<string, FullOption>> = Object.assign({}, ...sections.map(({ options }) => options))
    return `export const help = ${JSON.stringify(mapValues(all, ({ help }) => help))}`
  }
  const tab = tabs.find((each) => id === `${name}/${each.tab}`)
  return tab && `export const words = ${JSON.stringify(wordsIn(registry, tab.tab))}`
}

/**
 * Offers `virtual:options`, the facts of all options without the schemas that check them, and `loadWords`, which brings what the
 * options of one tab say: the settings are drawn without the schema library.
 */
export const optionsModule = (): Plugin => ({
  name: 'tollgate-options',
  resolveId: (source) => (source === name || source.startsWith(`${name}/`) ? `\0${source}` : undefined),
  load: async (id) =>
    id.startsWith(`\0${name}`)
      ? printOptions(id.slice(1), (await import('@tollgate/contract/options/index')) as unknown as Registry)
      : undefined,
})
