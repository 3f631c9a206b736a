import type { ComponentType } from 'react'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useControl } from './control.ts'
import { ChatsControl, GroupRatioControl, UsableGroupsControl } from './pairs-control.tsx'
import { plainControls } from './plain-controls.tsx'
import { FooterControl, LogoControl, OperatorTextControl } from './preview-control.tsx'
import { fieldId, type Key } from './registry.ts'
import { SecretControl } from './secret-control.tsx'
import classes from './settings.module.css'

type ControlComponent = ComponentType<{ of: Key }>

/** Options that deserve more than the control of their kind. */
const ownControls: ReadonlyMap<Key, ControlComponent> = new Map<Key, ControlComponent>([
  ['Chats', ChatsControl],
  ['GroupRatio', GroupRatioControl],
  ['TopupGroupRatio', GroupRatioControl],
  ['UserUsableGroups', UsableGroupsControl],
  ['Notice', OperatorTextControl],
  ['HomePageContent', OperatorTextControl],
  ['About', OperatorTextControl],
  ['Footer', FooterControl],
  ['Logo', LogoControl],
])

const kinds: Readonly<Record<ReturnType<typeof useControl>['option']['control'], ControlComponent>> = {
  ...plainControls,
  secret: SecretControl,
}

/** One option: its control, its key, what is wrong with its row, and the way back to the default. */
export const Field = ({ of, found }: { of: Key; found: boolean }) => {
  const { option, label, text, writable, edit, say, settings } = useControl(of)
  const Control = ownControls.get(of) ?? kinds[option.control]
  const fallback = option.print(option.fallback)
  const problem = settings.stored.problems.get(of)
  return (
    <div id={fieldId(of)} className={classes.field} data-found={found || undefined} data-control={option.control}>
      <Control of={of} />
      {problem && <p className={classes.warning}>{say('problem', { reason: problem })}</p>}
      <p className={classes.meta}>
        <code>{of}</code>
        {option.inert && <StatusBadge tone="neutral" label={say('inert')} />}
        {!option.secret && writable && text !== fallback && (
          <button
            type="button"
            className="text-button"
            aria-label={say('toDefaultOf', { name: label })}
            onClick={() => edit(fallback)}
          >
            {say('toDefault')}
          </button>
        )}
      </p>
    </div>
  )
}
