import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { useSettingMessages } from '../messages.ts'
import { optionOf } from '../registry.ts'
import classes from '../settings.module.css'
import type { Risk } from './save.ts'

/** Names the risks before a risky change is saved. */
export const RiskQuestion = (props: {
  risks: readonly Risk[] | undefined
  onConfirm: () => Promise<void>
  onClose: () => void
}) => {
  const say = useSettingMessages()
  const language = useLanguage()
  return (
    <ConfirmAction
      opened={props.risks !== undefined}
      onClose={props.onClose}
      title={say('riskTitle')}
      effect={
        <dl className={classes.risks}>
          {(props.risks ?? []).map(({ key, text }) => (
            <div key={key}>
              <dt>{textIn(optionOf(key).label, language)}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      }
      confirmLabel={say('riskConfirm')}
      onConfirm={props.onConfirm}
      danger
    />
  )
}
