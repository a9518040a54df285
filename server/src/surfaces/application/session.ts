import { Type } from 'typebox'

/** The answer to a sign-in: a pair of tokens and the user. */
export const sessionSchema = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds until the access token expires' }),
  user: Type.Object({
    user_id: Type.String(),
    full_name: Type.String(),
    email: Type.String(),
    role: Type.String({ description: 'the name of the role' }),
    organization: Type.String({ description: 'the id of the organization' }),
  }),
})
