import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Passkeys: signing in, and confirming who holds a session, with a key of a device. */
export const module = {
  areas: [],
  ownAreas: [['/api/user/passkey', 'sign_in']],
  signInMethods: ['passkey'],
  logEvents: {
    passkey_refused: 'A passkey was refused; `error` says why.',
  },
  errors: {
    passkey_failed: client(401, '通行密钥验证失败，请重试', 'The passkey could not be verified, please try again'),
    passkey_unknown: client(401, '此通行密钥未绑定任何可用账户', 'No usable account has this passkey'),
    passkey_taken: client(409, '此通行密钥已被添加', 'This passkey was added already'),
    passkey_limit: client(409, '最多可添加 {count} 个通行密钥', 'An account has at most {count} passkeys'),
    passkey_elsewhere: client(
      400,
      '当前访问地址无法使用通行密钥，请通过 {address} 访问',
      'Passkeys of this site work only at {address}',
    ),
    passkey_insecure: client(400, '通行密钥需要通过 HTTPS 域名访问本站', 'Passkeys need a host name and HTTPS'),
  },
} as const satisfies ModuleData
