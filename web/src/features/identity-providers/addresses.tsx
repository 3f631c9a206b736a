import { CopyText } from '../../components/copy/copy-text.tsx'
import { useStatus } from '../../lib/status.ts'
import type { Preset } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'

/** What has to be entered at the provider. */
export const Addresses = ({ preset, slug }: { preset: Preset; slug: string }) => {
  const say = useProviderMessages()
  const status = useStatus()
  const site = status.server_address || window.location.origin
  const name = slug || '…'
  const rows =
    preset === 'saml'
      ? [
          { label: say('acs'), address: `${site}/api/sso/${name}/acs` },
          { label: say('ownEntity'), address: `${site}/api/sso/${name}/metadata` },
        ]
      : [{ label: say('redirect'), address: `${site}/oauth/${name}` }]
  return (
    <fieldset className={classes.part}>
      <legend>{say('addressTitle')}</legend>
      <p className="faint">
        {status.server_address === '' && preset === 'saml' ? say('serverAddressMissing') : say('addressText')}
      </p>
      <dl className={classes.addresses}>
        {rows.map(({ label, address }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <CopyText text={address} name={label} />
            </dd>
          </div>
        ))}
      </dl>
    </fieldset>
  )
}
