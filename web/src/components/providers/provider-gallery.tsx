import { useState } from 'react'
import type { ChannelType } from '../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { Logo } from '../logo/logo.tsx'
import { EmptyState } from '../states.tsx'
import { type FoundProvider, findProviders } from './match-provider.ts'
import { useProviderMessages } from './messages.ts'
import classes from './providers.module.css'

const groups = [
  ['common', [1, 14, 24, 43, 17, 25, 26, 45]],
  ['clouds', [3, 33, 41, 46]],
  ['hubs', [20, 40, 4, 8]],
] as const

/** Families of models that providers are known for, by type: names are the same in every language. */
const families: ReadonlyMap<number, string> = new Map([
  [1, 'GPT, o, Whisper'],
  [3, 'GPT, o'],
  [4, 'Llama, Qwen'],
  [14, 'Claude'],
  [17, 'Qwen'],
  [20, 'GPT, Claude, Gemini'],
  [24, 'Gemini'],
  [25, 'Kimi'],
  [26, 'GLM'],
  [33, 'Claude, Nova'],
  [40, 'DeepSeek, Qwen, GLM'],
  [41, 'Gemini, Claude'],
  [43, 'DeepSeek V, R'],
  [45, 'Doubao'],
  [46, 'ERNIE'],
])

interface TileProps {
  found: FoundProvider
  value: number | undefined
  onChoose: (type: ChannelType) => void
}

const Tile = ({ found: { type, model }, value, onChoose }: TileProps) => {
  const say = useProviderMessages()
  const language = useLanguage()
  const count = type.models.length
  const usual = families.get(type.type) ?? (count > 0 ? say('models', { count }) : type.base_url || say('withAddress'))
  const note = model ?? usual
  return (
    <button
      type="button"
      className={classes.tile}
      aria-pressed={type.type === value}
      disabled={!type.relays}
      title={
        type.relays ? type.base_url : say('unusable', { reason: type.reason ? textIn(type.reason, language) : '' })
      }
      onClick={() => onChoose(type)}
    >
      <Logo of={{ type: type.type }} name={type.label.en} size={28} />
      <span className={classes.tileText}>
        <strong>{textIn(type.label, language)}</strong>
        <small aria-hidden="true">{note}</small>
      </span>
    </button>
  )
}

const Tiles = ({
  title,
  found,
  ...props
}: Omit<TileProps, 'found'> & { title: string; found: readonly FoundProvider[] }) => (
  <fieldset className={classes.group}>
    <legend>{title}</legend>
    <div className={classes.tiles}>
      {found.map((entry) => (
        <Tile key={entry.type.type} found={entry} {...props} />
      ))}
    </div>
  </fieldset>
)

interface ProviderGalleryProps {
  types: readonly ChannelType[]
  /** The chosen type. */
  value: number | undefined
  /** Search text: a part of a name, of an address or of a model's name. */
  search: string
  onChoose: (type: ChannelType) => void
}

/** Providers to choose from: the common ones in groups, all of them on request, or those that a search finds. */
export const ProviderGallery = ({ types, value, search, onChoose }: ProviderGalleryProps) => {
  const say = useProviderMessages()
  const [all, setAll] = useState(false)
  const parts = { value, onChoose }
  if (search.trim() !== '') {
    // Types that cannot relay come last.
    const found = findProviders(types, search).toSorted((a, b) => Number(b.type.relays) - Number(a.type.relays))
    if (found.length === 0) return <EmptyState icon="search" title={say('none')} text={say('noneText')} />
    return <Tiles title={say('found')} found={found} {...parts} />
  }
  const byType = new Map(types.map((type) => [type.type, type]))
  const shown = groups.map(([id, numbers]) => ({
    id,
    found: numbers.flatMap((number) => {
      const type = byType.get(number)
      return type ? [{ type, model: undefined }] : []
    }),
  }))
  const grouped = new Set<number>(groups.flatMap(([, numbers]) => [...numbers]))
  const others = types
    .filter((type) => !grouped.has(type.type))
    .map((type) => ({ type, model: undefined }))
    .toSorted((a, b) => Number(b.type.relays) - Number(a.type.relays))
  return (
    <>
      {shown
        .filter(({ found }) => found.length > 0)
        .map(({ id, found }) => (
          <Tiles key={id} title={say(id)} found={found} {...parts} />
        ))}
      {others.length > 0 &&
        (all || others.some(({ type }) => type.type === value) ? (
          <Tiles title={say('others')} found={others} {...parts} />
        ) : (
          <button type="button" className="text-button" onClick={() => setAll(true)}>
            {say('all', { count: types.length })}
          </button>
        ))}
    </>
  )
}
