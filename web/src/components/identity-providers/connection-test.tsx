import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useAction } from '../../lib/query.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { FieldPair } from '../form/form-part.tsx'
import { connectionOf, type ProviderValues } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'
import { type ProviderOwner, testProvider } from './provider-calls.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly owner: ProviderOwner
}

/** Asks the provider what it says about itself, or reads the certificates. */
export const ConnectionTest = ({ form, owner }: Props) => {
  const say = useProviderMessages()
  const test = useAction(testProvider)
  const found = test.data
  const facts = found && [
    found.keys === 0 ? say('testNoKeys', found) : say('testFound', found),
    ...(found.expires_time === 0 ? [] : [say('testUntil', { time: formatDateTime(found.expires_time) })]),
  ]
  return (
    <FieldPair>
      <div>
        <Button
          loading={test.busy}
          onClick={() => void test.submit(owner, connectionOf(form.getValues())).catch(() => undefined)}
        >
          {say('test')}
        </Button>
      </div>
      <p role="status" className={classes.tested}>
        {test.error ? errorText(test.error) : facts?.join(' · ')}
      </p>
    </FieldPair>
  )
}
