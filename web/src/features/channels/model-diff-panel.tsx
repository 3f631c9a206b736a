import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './form.module.css'
import { type SayForm, useChannelFormWords } from './form-messages.ts'
import { modelDiff } from './model-diff.ts'

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
            label={<span className="mono">{name}</span>}
            checked={kept.has(name)}
            onChange={(event) => onKeep([name], event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface ModelDiffPanelProps {
  chosen: readonly string[]
  offered: readonly string[]
  onApply: (models: string[]) => void
  onClose: () => void
}

/**
 * What the upstream offers against what is chosen: a tick means that the channel has the model afterwards. New models
 * come ticked; those that are gone upstream stay ticked, because a mapping may still serve them.
 */
export const ModelDiffPanel = ({ chosen, offered, onApply, onClose }: ModelDiffPanelProps) => {
  const say = useChannelFormWords()
  const [filter, setFilter] = useState('')
  // What was unticked, not what is ticked: models that are chosen while the panel is open come along.
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const kept = new Set([...chosen, ...offered].filter((name) => !dropped.has(name)))
  const diff = modelDiff(chosen, offered)
  const onKeep = (names: readonly string[], keep: boolean): void => {
    const next = new Set(dropped)
    for (const name of names) {
      if (keep) next.delete(name)
      else next.add(name)
    }
    setDropped(next)
  }
  const parts = { kept, filter, onKeep, say }
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
      <div className={classes.diffBody}>
        <Part kind="diffNew" names={diff.fresh} {...parts} />
        <Part kind="diffGone" names={diff.gone} {...parts} />
        <Part kind="diffSame" names={diff.same} {...parts} />
      </div>
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
