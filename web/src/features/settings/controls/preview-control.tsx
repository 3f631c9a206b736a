import { useDeferredValue } from 'react'
import { Mark } from '../../../components/brand.tsx'
import { OperatorText } from '../../../components/markdown/operator-text.tsx'
import { SafeHtml } from '../../../components/markdown/safe-html.tsx'
import { useSettings } from '../settings-state.ts'
import { useControl } from './control.ts'
import classes from './controls.module.css'
import { LongTextControl, plainControls } from './plain-controls.tsx'

const TextControl = plainControls.text

/** A long text beside its preview, cleaned as visitors get it. */
const WithPreview = ({ html = false }: { html?: boolean }) => {
  const { label, text, say } = useControl()
  const shown = useDeferredValue(text)
  return (
    <div className={classes.withPreview}>
      <LongTextControl />
      <section className={classes.preview} aria-label={`${say('preview')}: ${label}`}>
        <h3>{say('preview')}</h3>
        {shown.trim() === '' ? (
          <p className="faint">{say('previewEmpty')}</p>
        ) : html ? (
          <SafeHtml html={shown} />
        ) : (
          <OperatorText text={shown} />
        )}
      </section>
    </div>
  )
}

export const OperatorTextControl = () => <WithPreview />

export const FooterControl = () => <WithPreview html />

/** The logo's address, with name and logo as the top bar will show them. */
export const LogoControl = () => {
  const { text, say } = useControl()
  const name = useSettings().text('SystemName')
  const logo = useDeferredValue(text.trim())
  return (
    <div className={classes.logo}>
      <TextControl />
      <p className={classes.brand}>
        <span className="faint">{say('preview')}</span>
        {logo === '' ? <Mark /> : <img src={logo} alt="" width={22} height={22} />}
        <strong>{name}</strong>
      </p>
    </div>
  )
}
