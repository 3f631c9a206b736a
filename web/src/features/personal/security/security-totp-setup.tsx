import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { encode } from 'uqr'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import { isGivenUp } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import classes from './security.module.css'
import { useSecurityMessages } from './security-messages.ts'

/** A QR code, dark on white in every theme so that cameras read it. */
const QrCode = ({ text, label, className }: { text: string; label: string; className?: string | undefined }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

interface SetupProps {
  setup: { readonly secret: string; readonly uri: string }
  onClose: () => void
  /** The second factor is on: the recovery codes, to be shown once. */
  onDone: (codes: readonly string[]) => void
}

const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** The QR code, and the first code that proves that the authenticator has it. */
export const TotpSetupSheet = ({ setup, onClose, onDone }: SetupProps) => {
  const say = useSecurityMessages()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (/^\d{6}$/.test(code.replace(/\s/g, '')) ? null : say('codeMissing')) },
  })
  const enable = useAction(calls.enableSecondFactor, {
    refresh: [calls.getSecondFactor],
    onDone: (data) => onDone(data.recovery_codes),
  })
  const submit = ({ code }: { code: string }): void => {
    enable.submit({ body: { code } }).catch((error: unknown) => {
      if (!isGivenUp(error)) form.setFieldError('code', errorText(error))
    })
  }
  return (
    <Sheet opened onClose={onClose} title={say('scan')}>
      <div className={classes.setup}>
        <p className="muted">{say('scanText')}</p>
        <QrCode text={setup.uri} label={say('qr')} className={classes.qr} />
        <div className={classes.secret}>
          <span className="muted">{say('secret')}</span>{' '}
          <CopyText text={setup.secret} shown={inFours(setup.secret)} name={say('secret')} secret />
        </div>
        <form className={classes.setup} noValidate onSubmit={form.onSubmit(submit)}>
          <TextInput
            label={say('code')}
            description={say('codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            classNames={{ input: 'mono' }}
            data-autofocus
            {...form.getInputProps('code')}
          />
          <Button type="submit" variant="filled" loading={enable.busy}>
            {say('turnOn')}
          </Button>
        </form>
      </div>
    </Sheet>
  )
}
