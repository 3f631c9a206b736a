import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from '../form.module.css'
import { type SayForm, useChannelFormMessages } from '../form-messages.ts'
import { type ModelDiff, modelDiff } from './model-diff.ts'

interface PartProps {
  kind: 'diffNew' | 'diffGone' | 'diffSame'
  names: readonly string[]
  kept: ReadonlySet<string>
  filter: string
  onKeep: (names: readonly string[], keep: boolean) => void
  say: SayForm
}

const Part = ({ kind, names, kept, filter, onKeep, say }: PartProps) => {
  const shown = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()))
  if (names.length === 0) return null
  return (
    <fieldset className={classes.part}>
      <legend data-kind={kind}>
        {say(kind, { count: names.length })}
        <button type="button" className="text-button" onClick={() => onKeep(shown, true)}>
          {say('diffAll')}
        </button>
        <button type="button" className="text-button" onClick={() => onKeep(shown, false)}>
          {say('diffNoneOf')}
        </button>
      </legend>
      <div className={classes.partNames}>
        {shown.map((name) => (
          <Checkbox
            key={name}
            size="xs"
            classNames={{ body: classes.tickBody }}
            label={<span className="mono">{name}</span>}
            checked={kept.has(name)}
            onChange={(event) => onKeep([name], event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface ModelDiffPartsProps {
  diff: ModelDiff
  /** Names without a tick, whether the channel has them now or not. */
  dropped: ReadonlySet<string>
  onDropped: (dropped: ReadonlySet<string>) => void
  filter: string
}

/** New models, those gone upstream and the rest; a tick means that the channel has the model afterwards. */
export const ModelDiffParts = ({ diff, dropped, onDropped, filter }: ModelDiffPartsProps) => {
  const say = useChannelFormMessages()
  const { fresh, gone, same } = diff
  const kept = new Set([...fresh, ...gone, ...same].filter((name) => !dropped.has(name)))
  const onKeep = (names: readonly string[], keep: boolean): void => {
    const next = new Set(dropped)
    for (const name of names) {
      if (keep) next.delete(name)
      else next.add(name)
    }
    onDropped(next)
  }
  const parts = { kept, filter, onKeep, say }
  return (
    <div className={classes.diffBody}>
      <Part kind="diffNew" names={fresh} {...parts} />
      <Part kind="diffGone" names={gone} {...parts} />
      <Part kind="diffSame" names={same} {...parts} />
    </div>
  )
}

interface ModelDiffPanelProps {
  chosen: readonly string[]
  offered: readonly string[]
  /** Leaves chosen models out that the provider does not offer: the default for a new channel. */
  dropsGone?: boolean
  onApply: (models: string[]) => void
  onClose: () => void
}

/**
 * Comparison of the provider's models with the chosen ones: a ticked model is in the channel afterwards. New models are ticked at
 * first; those that are no longer offered stay ticked in a stored channel, because a mapping may still serve them.
 */
export const ModelDiffPanel = ({ chosen, offered, dropsGone = false, onApply, onClose }: ModelDiffPanelProps) => {
  const say = useChannelFormMessages()
  const [filter, setFilter] = useState('')
  // Holds the unticked models instead of the ticked ones, so that models chosen while the panel is open are included.
  const [dropped, setDropped] = useState<ReadonlySet<string>>(
    () => new Set(dropsGone ? modelDiff(chosen, offered).gone : []),
  )
  const kept = new Set([...chosen, ...offered].filter((name) => !dropped.has(name)))
  return (
    <section className={classes.diff} aria-label={say('diffTitle')}>
      <div className={classes.diffHead}>
        <strong className="strong">{say('diffTitle')}</strong>
        <TextInput
          size="xs"
          aria-label={say('diffFilter')}
          placeholder={say('diffFilter')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <ModelDiffParts diff={modelDiff(chosen, offered)} dropped={dropped} onDropped={setDropped} filter={filter} />
      <div className={classes.buttons}>
        <Button variant="light" onClick={() => onApply([...kept])}>
          {say('diffApply', { count: kept.size })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {say('diffCancel')}
        </Button>
      </div>
    </section>
  )
}
