import { type ComponentType, memo } from 'react'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { useSettingMessages } from '../messages.ts'
import { fieldId, type Key, optionOf } from '../registry.ts'
import { FieldContext, type FieldState, useControl } from './control.ts'
import classes from './controls.module.css'
import { MoneyControl } from './money-control.tsx'
import { ChatsControl, GroupRatioControl, UsableGroupsControl } from './pairs-control.tsx'
import { plainControls } from './plain-controls.tsx'
import { FooterControl, LogoControl, OperatorTextControl } from './preview-control.tsx'
import { SecretControl } from './secret-control.tsx'

type ControlComponent = ComponentType

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

const Meta = () => {
  const { of, option, label, text, writable, standard, edit, say } = useControl()
  return (
    <p className={classes.meta}>
      <code>{of}</code>
      {option.inert && <StatusBadge tone="neutral" label={say('inert')} />}
      {!option.secret && writable && standard !== undefined && text !== standard && (
        <button
          type="button"
          className="text-button"
          aria-label={say('toDefaultOf', { name: label })}
          onClick={() => edit(standard)}
        >
          {say('toDefault')}
        </button>
      )}
    </p>
  )
}

/** One option: its control, its key, the problem of its stored row, and a button that restores the default. */
export const Field = memo(({ found, ...state }: FieldState & { found: boolean }) => {
  const say = useSettingMessages()
  const { control, unit } = optionOf(state.of)
  // A decimal is a rate of units, not an amount of them.
  const isAmount = unit === 'quota' && control === 'integer'
  const Control = ownControls.get(state.of) ?? (isAmount ? MoneyControl : kinds[control])
  return (
    <FieldContext value={state}>
      <div id={fieldId(state.of)} className={classes.field} data-found={found || undefined} data-control={control}>
        <Control />
        {state.problem && <p className={classes.warning}>{say('problem', { reason: state.problem })}</p>}
        <Meta />
      </div>
    </FieldContext>
  )
})
