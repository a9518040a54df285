import type { ICredentialType, INodeProperties } from 'n8n-workflow'

/**
 * An app of an installation, connected through `/oauth/connect` with PKCE. The nodes sign requests themselves,
 * because n8n does not call `authenticate` of an OAuth2 credential.
 */
export class PerennialOAuth2Api implements ICredentialType {
  name = 'perennialOAuth2Api'
  extends = ['oAuth2Api']
  displayName = 'Perennial OAuth2 API'
  icon = {
    light: 'file:../icons/perennial.svg',
    dark: 'file:../icons/perennial.dark.svg',
  } as const
  documentationUrl = 'https://repository.invalid/blob/main/docs/guide/n8n.md'
  properties: INodeProperties[] = [
    {
      // not serverUrl: n8n would try to register a client there
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://crm.example.com',
      description: 'Where your Perennial is, without a path',
    },
    {
      displayName: 'Function Key',
      name: 'functionKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'What the app was issued with, beside its client ID and secret',
    },
    { displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'pkce' },
    {
      displayName: 'Authorization URL',
      name: 'authUrl',
      type: 'hidden',
      default: '={{$self["baseUrl"].replace(/\\/+$/, "")}}/oauth/connect',
    },
    {
      displayName: 'Access Token URL',
      name: 'accessTokenUrl',
      type: 'hidden',
      default: '={{$self["baseUrl"].replace(/\\/+$/, "")}}/oauth/token',
    },
    { displayName: 'Scope', name: 'scope', type: 'hidden', default: '' },
    {
      displayName: 'Auth URI Query Parameters',
      name: 'authQueryParameters',
      type: 'hidden',
      default: '',
    },
    { displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'header' },
  ]
}
